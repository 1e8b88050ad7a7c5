/// What is thrown, in words; `nothing` if nothing is.
package func complaint(_ body: () async throws -> Void) async -> String {
  do {
    try await body()
    return "nothing"
  } catch {
    return "\(error)"
  }
}
