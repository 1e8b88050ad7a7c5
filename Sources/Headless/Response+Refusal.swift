internal import HTTPExchange

extension Response {
  /// The message of a refusal by backstage; nil if this is none.
  var refusalMessage: String? {
    struct Refusal: Decodable {
      struct Problem: Decodable { var message: String }
      var errors: [Problem]
    }
    return JSONBody.decode(Refusal.self, from: body)?.errors.first?.message
  }
}
