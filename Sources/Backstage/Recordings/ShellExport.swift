internal import AuthFlow
internal import Headless
internal import HTTPExchange

/// A walk as a script for any POSIX shell, with curl and awk.
enum ShellExport {
  static func text(of story: Story, under options: [String]) -> String {
    var lines = ["#!/bin/sh", "# \(story.titleLine)", story.apiLine(under: options), head]
    lines += story.preparations.flatMap(self.lines)
    for (index, step) in story.steps.enumerated() {
      lines += ["", "step \("\(index + 1). \(step.say)".quotedForShell)"]
      if let action = step.action { lines += self.lines(of: action) }
      if let outline = step.expectation.lines {
        lines.append("expect " + outline.map(\.quotedForShell).joined(separator: " \\\n  "))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(of action: Story.Action) -> [String] {
    switch action {
    case .open(.path(let path)): return ["open_page \(path.quotedForShell)"]
    case .open(.link(let filter)):
      return [setting("link", to: "latest link \(query(filter))"), "open_page \"$link\""]
    case .submit(let inputs, let form):
      var lines: [String] = []
      var words = ["submit", (form ?? "").quotedForShell]
      for (number, (name, input)) in inputs.sorted(by: { $0.key < $1.key }).enumerated() {
        words.append(name.quotedForShell)
        switch input {
        case .text(let text): words.append(text.quotedForShell)
        case .latest(let filter):
          lines.append(setting("code\(number)", to: "latest code \(query(filter))"))
          words.append("\"$code\(number)\"")
        case .totp(let identifier):
          lines.append(setting("id", to: "user \(escaped(identifier))"))
          lines.append(setting("code\(number)", to: "app \"$id\""))
          words.append("\"$code\(number)\"")
        }
      }
      return lines + [words.joined(separator: " ")]
    case .stand(let page, let state):
      let body: JSONValue = .object([
        .init("page", .string(page)), .init("state", state.map(JSONValue.string) ?? .null),
      ])
      return ["stand \(body.text.quotedForShell)"]
    case .deed(let deed): return deed.calls.flatMap(self.lines)
    }
  }

  private static func lines(of call: Story.Call) -> [String] {
    let body = call.body.map { " \($0.text.quotedForShell)" } ?? ""
    switch call.place {
    case .path(let path): return ["backstage \(call.method) \(path)\(body)"]
    case .user(let identifier):
      return [
        setting("id", to: "user \(escaped(identifier))"),
        "backstage \(call.method) \"users/$id\"\(body)",
      ]
    case .message(let filter):
      return [
        setting("id", to: "latest id \(query(filter))"),
        "backstage \(call.method) \"messages/$id\"\(body)",
      ]
    }
  }

  /// A failure within `$(…)` ends only that subshell; the script has to exit as well.
  private static func setting(_ name: String, to command: String) -> String {
    "\(name)=$(\(command)) || exit 1"
  }

  private static func escaped(_ text: String) -> String {
    PercentEncoding.escaped(text, keeping: "-_.").quotedForShell
  }

  private static func query(_ filter: Story.MessageFilter) -> String {
    let purpose = filter.purpose.map { "&purpose=\($0)" } ?? ""
    return "to=\(PercentEncoding.escaped(filter.to, keeping: "-_."))\(purpose)".quotedForShell
  }

  private static let head = #"""
    # Recorded by Vestibule. Runs against VESTIBULE_URL (else http://localhost:8080, never a world's own host) in a
    # fresh world, with curl and the tools of POSIX; exit code 0 if every page is as it was, else 1.
    set -u
    export LC_ALL=C
    base=${VESTIBULE_URL:-http://localhost:8080}
    base=${base%/}
    world=recorded-$(date +%s)-$$
    files=$(mktemp -d) || exit 1
    trap 'call DELETE "worlds/$world" > /dev/null 2>&1; rm -rf "$files"' EXIT
    # Not every shell comes to its end by the one above where a signal stops it.
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM

    fail() { echo "$*" >&2; exit 1; }

    step() { what=$1; echo "$1"; }

    # call METHOD PATH [JSON]: what backstage answers.
    call() {
      # By a pipe: an argument of a program has an end, an imported world may be longer.
      printf '%s' "${3-}" | curl -q -g -sS -f --noproxy '*' -X "$1" -H "X-Vestibule-World: $world" -H 'X-Vestibule-Backstage: 1' \
        ${3:+-H 'Content-Type: application/json' --data-binary @-} "$base/backstage/api/$2"
    }

    backstage() { call "$@" > /dev/null || fail "backstage refuses: $1 $2"; }

    # latest code|link|id QUERY: of the newest such message.
    latest() {
      found=$(call GET "messages/latest?wait=10&$2" | sed -n 's/.*"'"$1"'":"\([^"]*\)".*/\1/p')
      [ -n "$found" ] || fail "There is no message with a $1: $2"
      case $1 in link) found=/${found#*://*/} ;; esac
      printf '%s' "$found"
    }

    user() {
      found=$(call GET "users?identifier=$1" | sed -n 's/^\[{"id":"\([^"]*\)".*/\1/p')
      [ -n "$found" ] || fail "There is no account $1"
      printf '%s' "$found"
    }

    app() {
      found=$(call GET "users/$1/totp" | sed -n 's/.*"code":"\([^"]*\)".*/\1/p')
      [ -n "$found" ] || fail "The account $1 has no authenticator app"
      printf '%s' "$found"
    }

    # request CURL-ARGUMENTS: the page at the end of all redirects, as JSON.
    request() {
      status=$(curl -q -g -sS -L --noproxy '*' -b "$files/jar" -c "$files/jar" -H "X-Vestibule-World: $world" \
        -H 'Accept: application/json' -o "$files/page" -w '%{http_code}' "$@") || fail "No answer: $what"
    }

    open_page() { request "$base$1"; }

    # stand JSON: the page of that state.
    stand() {
      request -H 'X-Vestibule-Backstage: 1' -H 'Content-Type: application/json' --data-binary "$1" \
        "$base/backstage/api/stand"
    }

    # objects: the page's JSON, an object a line. Every quote that is left is one that begins or ends a text, and
    # what stands between two of them has no object.
    objects() {
      sed 's/\\\\/\\u005c/g; s/\\"/\\u0022/g' "$files/page" |
        awk 'BEGIN { RS = ORS = "\"" } NR % 2 { gsub(/[{]/, "\n") } { print }'
    }

    # read_page QUESTION [FORM]: reads the page; fails where it has a value that no line can hold.
    read_page() {
      objects | awk -v question="$1" -v wanted="${2-}" '
        function text(name,   at, rest, parts, count, out, number) {
          at = index($0, "\"" name "\":\"")
          if (!at) return ""
          rest = substr($0, at + length(name) + 4)
          rest = substr(rest, 1, index(rest, "\"") - 1)
          gsub(/\\u0022/, "\"", rest)
          gsub(/\\t/, "\t", rest)
          gsub(/\\\//, "/", rest)
          count = split(rest, parts, /\\u005c/)
          for (number = 1; number <= count; number++) {
            if (index(parts[number], "\\")) unreadable = 1
            out = out (number > 1 ? "\\" : "") parts[number]
          }
          return out
        }
        function told(line) { if (question == "outline" && line != "") print line }
        BEGIN { part = "forms" }
        /^"page":/ { told("page " text("page")); told("step " text("step")) }
        part == "forms" && /^"name":"[^"]*","action":/ {
          told(line)
          form = text("name")
          if (wanted == "") wanted = form
          line = form ~ /^end-/ ? "" : "form " form
          if (question == "form" && form == wanted) print text("action") "\n" text("token")
        }
        part == "forms" && /^"name":"[^"]*","label":/ {
          field = text("name")
          if (text("type") != "hidden" && line != "") line = line " " field
          if (question == "fields" && form == wanted) {
            type = text("type")
            print "field " field
            if (type == "checkbox") print "box " field
            if (type == "checkbox" ? /"checked":true/ : /"value":"/ || (type != "hidden" && type != "radio"))
              print "value " field "=" text("value")
          }
        }
        /^"code":"/ && part == "forms" { told("at " field " " text("code")) }
        /^"code":"/ && part == "errors" { told("error " text("code")) }
        /^"code":"/ && part == "notices" { told("notice " text("code")) }
        part == "forms" && (/\]}\],"errors":\[/ || /"forms":\[\],"errors":\[/) { part = "errors" }
        part == "errors" && /,"notices":\[/ { part = "notices" }
        part == "notices" && /\],"links":\[/ { part = "rest" }
        END { told(line); exit unreadable }
      '
    }

    # submit FORM [FIELD VALUE]...: a form of the page as it is filled in; the main one has no name here.
    submit() {
      wanted=$1
      shift
      place=$(read_page form "$wanted")
      [ -n "$place" ] || fail "The page has no form $wanted: $what"
      read_page fields "$wanted" > "$files/fields" || fail "A field has a value that cannot be sent from here: $what"
      typed=" "
      count=$#
      while [ "$count" -gt 0 ]; do
        grep -q -x -F "field $1" "$files/fields" || fail "The page has no field $1: $what"
        typed="$typed$1 "
        # A box without a tick is not sent.
        [ -z "$2" ] && grep -q -x -F "box $1" "$files/fields" || set -- "$@" --data-urlencode "$1=$2"
        shift 2
        count=$((count - 2))
      done
      while IFS= read -r line; do
        case $line in "value "*) ;; *) continue ;; esac
        line=${line#value }
        case $typed in *" ${line%%=*} "*) ;; *) set -- "$@" --data-urlencode "$line" ;; esac
      done < "$files/fields"
      request --data-urlencode "form_token=$(echo "$place" | tail -n 1)" "$@" "$base$(echo "$place" | head -n 1)"
    }

    # expect LINE...: what the page is, without a word of it.
    expect() {
      printf '%s\n' "$@" | sort > "$files/expected"
      { echo "status $status"; read_page outline; } | sort > "$files/actual"
      cmp -s "$files/expected" "$files/actual" || {
        echo "< recorded, > now:" >&2
        diff "$files/expected" "$files/actual" >&2
        fail "The page differs: $what"
      }
    }

    """#
}
