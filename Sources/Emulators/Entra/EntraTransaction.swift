internal import GRDB

/// One call of native authentication within one transaction of one world's database.
///
/// The methods that carry out the calls are in the folders named after the flows.
final class EntraTransaction: CallTransaction {
  let call: EntraCall

  init(_ call: EntraCall, _ run: CallRun, _ db: Database) {
    self.call = call
    super.init(run, db)
  }

  var form: EntraForm { call.form }
}
