internal import HTTPExchange

extension Response {
  /// What backstage says about a call that it refuses.
  struct Refusal: Decodable {
    var code: String
    var message: String
  }

  /// Backstage's refusal; nil if this is none.
  var refusal: Refusal? {
    struct Answer: Decodable { var errors: [Refusal] }
    return JSONBody.decode(Answer.self, from: body)?.errors.first
  }
}
