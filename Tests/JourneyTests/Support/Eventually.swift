/// Looks again and again until something is so, for ten seconds at most.
///
/// - Returns: Whether it is so.
func eventually(_ condition: () throws -> Bool) async throws -> Bool {
  let end = ContinuousClock.now + .seconds(10)
  while ContinuousClock.now < end {
    if try condition() { return true }
    await Task.yield()
  }
  return try condition()
}
