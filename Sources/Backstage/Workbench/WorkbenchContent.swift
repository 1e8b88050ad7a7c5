internal import Emulators

/// What a tool shows and offers.
struct WorkbenchContent {
  var lead: [String] = []
  var facts: [JSON.Member] = []
  var lists: [List] = []
  /// Where the list goes on; nil where it ends.
  var further: String?
  var forms: [WorkbenchForm] = []

  struct List {
    var heading: String?
    var items: [Item]
  }

  /// One thing of a list; most of it is there for some tools alone.
  struct Item {
    /// What a message is for, and how it went.
    var purpose: String?
    var channel: String?
    /// The step of a flow that it stands for.
    var step: String?
    var isCurrent = false
    var heading: String
    var about: About?
    var code: String?
    var link: String?
    var details: Details?
    var forms: [WorkbenchForm] = []

    /// A line of words, in which a moment may stand.
    struct About {
      var words: String
      var moment: String?
      var time: String?
      var rest: String?
    }

    struct Details {
      var summary: String
      var text: String
      /// Whether its lines may be broken anew.
      var isProse = false
    }
  }
}
