import Foundation
import HTTPExchange
import HTTPTypes
import Locking
import Testing

@testable import Vestibule

@Suite("What a start does not wait for")
struct OnDemandTests {
  private static let failure = StartFailure(.configuration, "a template is spoilt")

  @Test("backstage is made once, when it is asked for, whatever the outcome")
  func backstage() async throws {
    let count = Locked(0)
    let backstage = try BackstageOnDemand(isDemanded: false) { () throws(StartFailure) in
      count.withLock { $0 += 1 }
      throw Self.failure
    }
    #expect(count.withLock(\.self) == 0)
    for _ in 0..<2 {
      await #expect(throws: StartFailure.self) { try await backstage.listener() }
    }
    #expect(count.withLock(\.self) == 1)
  }

  @Test("several callers at once wait for one backstage, and one that must not wait does not")
  func backstageAtOnce() async throws {
    let count = Locked(0)
    let asked = Locked<BackstageOnDemand?>(nil)
    let backstage = try BackstageOnDemand(isDemanded: false) { () throws(StartFailure) in
      count.withLock { $0 += 1 }
      // If a lock were held meanwhile, this would not return.
      let isMade = asked.withLock(\.self)?.made != nil
      #expect(!isMade)
      throw Self.failure
    }
    asked.withLock { $0 = backstage }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          await #expect(throws: StartFailure.self) { try await backstage.listener() }
        }
      }
    }
    #expect(count.withLock(\.self) == 1 && backstage.made == nil)
    asked.withLock { $0 = nil }
  }

  @Test("faulty custom files are refused at the start")
  func demanded() {
    #expect(throws: StartFailure.self) {
      try BackstageOnDemand(isDemanded: true) { () throws(StartFailure) in throw Self.failure }
    }
  }

  @Test("a start waits for what is done meanwhile, and fails if that fails")
  func started() throws {
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let started = Started { () throws(StartFailure) in
      begun.signal()
      end.wait()
      return "read"
    }
    begun.wait()
    end.signal()
    #expect(try started.value() == "read")
    #expect(try started.value() == "read")
    let failing = Started<String> { () throws(StartFailure) in throw Self.failure }
    #expect(throws: StartFailure.self) { try failing.value() }
  }
}
