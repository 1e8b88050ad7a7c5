import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

/// Walks that a recording could easily get wrong.
extension RecordedWalk {
  static let mistakable = [
    RecordedWalk(
      title: "A wrong password locks",
      walk: { browser, backstage in
        _ = try await backstage.call(.patch, "instance", json: #"{"lockout_attempts": 2}"#)
        try await browser.open("/sign-in")
        for password in ["wrong-1", "wrong-2"] {
          try await browser.submit(["identifier": "ada@example.com", "password": password])
        }
        #expect(await browser.page?.page == "locked")
      },
      exported: {}
    ),
    RecordedWalk(
      title: "Whoever has no password types one",
      walk: { browser, backstage in
        try await browser.open("/sign-in")
        try await browser.submit(["identifier": "cody@example.com", "password": "whatever-it-is"])
        let code = try await backstage.latestCode(to: "cody@example.com")
        try await browser.submit(["code": "\(code.prefix(3))-\(code.suffix(3))"])
        #expect(await browser.page?.page == "account")
      },
      exported: {}
    ),
    RecordedWalk(
      title: "The auth API cannot be reached",
      before: { browser in try await browser.open("/sign-in") },
      walk: { browser, backstage in
        let fault = try await backstage.addFault(#"{"fault": "refused"}"#)
        try await browser.open("/sign-in")
        _ = try await backstage.call(.delete, "faults/\(fault)")
        try await browser.open("/sign-in")
        try await backstage.addFault(#"{"fault": "refused"}"#)
        let ada = ["identifier": "ada@example.com", "password": password]
        try await browser.submit(ada)
        #expect(await browser.page?.status == 503)
        _ = try await backstage.call(.delete, "faults")
        try await browser.submit(ada)
      },
      exported: {}
    ),
    RecordedWalk(
      title: "An organization is chosen",
      walk: { browser, _ in
        try await browser.open("/sign-in")
        try await browser.submit(["identifier": "otto@example.com", "password": password])
        let field = await browser.page?.form?.fields.first { $0.name == "organization_id" }
        let organization = try #require(field?.options?.last?.value)
        try await browser.submit(["organization_id": organization])
        #expect(await browser.page?.page == "account")
      },
      exported: {}
    ),
    RecordedWalk(
      title: "The world is reset on the way",
      walk: { browser, backstage in
        try await browser.open("/sign-in")
        try await browser.submit(["identifier": "ada@example.com", "password": password])
        _ = try await backstage.call(.post, "reset")
        try await browser.open("/sign-in")
        #expect(await browser.page?.noticeCodes == ["sign_in_again"])
        try await browser.submit(["identifier": "ada@example.com", "password": password])
      },
      exported: {}
    ),
    RecordedWalk(
      title: "A code that is always the same",
      walk: { browser, _ in
        try await browser.open("/forgot-password")
        try await browser.submit(["identifier": "+12015550142"])
        let own = await browser.cookies
        // Somebody else gets the same code.
        await browser.replaceCookies([:])
        try await browser.open("/forgot-password")
        try await browser.submit(["identifier": "+12015550110"])
        await browser.replaceCookies(own)
        try await browser.open("/forgot-password/code")
        try await browser.submit(["code": "424242"])
      },
      exported: {}
    ),
    RecordedWalk(
      title: "One of many accounts",
      prepare: { backstage in
        for number in 1...90 {
          let user =
            #"{"email_addresses": ["n\#(number)@example.com"], "password": "\#(newPassword)"}"#
          _ = try await backstage.call(.post, "users", json: user)
        }
      },
      walk: { browser, _ in
        try await browser.open("/sign-in")
        try await browser.submit(["identifier": "n90@example.com", "password": newPassword])
        #expect(await browser.page?.page == "account")
      },
      exported: {}
    ),
    RecordedWalk(
      title: "Nobody follows where the last form leads",
      walk: { browser, _ in
        try await browser.open("/sign-in")
        let ada = ["identifier": "ada@example.com", "password": password]
        let (form, body) = try await browser.filled(ada)
        let answer = try await browser.send(.post, form.action, body: body)
        #expect(answer.status == .seeOther)
      },
      exported: {}
    ),
    RecordedWalk(
      title: "An account has got another address and number",
      prepare: { backstage in
        let names =
          #"{"email_addresses": ["ada.new@example.com"], "phone_numbers": ["+12015550110", "+12015550111"]}"#
        _ = try await backstage.call(.patch, "users/user_ada", json: names)
      },
      walk: { browser, _ in
        try await browser.open("/sign-in")
        try await browser.submit(["identifier": "ada@example.com", "password": password])
        #expect(await browser.page?.page == "sign-in", "nobody has this address any more")
        try await browser.submit(["identifier": "ada.new@example.com", "password": password])
        #expect(await browser.page?.page == "account")
      },
      exported: {}
    ),
    RecordedWalk(
      title: "An invitation of before",
      prepare: { backstage in
        let invitation = #"{"email_address": "una@example.com"}"#
        _ = try await backstage.call(.post, "invitations", json: invitation)
      },
      walk: { browser, backstage in
        try await browser.open(backstage.latestLink(to: "una@example.com"))
        try await browser.submit()
        try await browser.submit(["password": newPassword])
      },
      exported: {}
    ),
    RecordedWalk(
      title: "The password of before",
      prepare: { backstage in
        let change = #"{"password": "\#(newPassword)"}"#
        _ = try await backstage.call(.patch, "users/user_ada", json: change)
      },
      walk: { browser, _ in
        try await browser.open("/sign-in")
        try await browser.submit(["identifier": "ada@example.com", "password": password])
        #expect(await browser.page?.errorCodes(at: "password") == ["form_password_incorrect"])
      },
      exported: {}
    ),
    RecordedWalk(
      title: "A number typed as people do",
      prepare: { backstage in
        let user = #"{"phone_numbers": ["+447700900123"], "password": "\#(newPassword)"}"#
        _ = try await backstage.call(.post, "users", json: user)
      },
      walk: { browser, _ in
        try await browser.open("/sign-in")
        try await browser.submit(["identifier": " +44 7700 900123", "password": newPassword])
        #expect(await browser.page?.page == "account")
      },
      exported: {}
    ),
  ]
}
