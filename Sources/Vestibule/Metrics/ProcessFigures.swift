internal import Foundation
internal import Glibc
internal import Metrics

/// The system's figures on this process, named as in Prometheus' own client libraries.
///
/// Source: Prometheus, "Writing client libraries", "Process metrics"; proc_pid_stat(5).
struct ProcessFigures {
  /// Seconds; nil, like all of them, if it cannot be read.
  private(set) var processorTime: Double?
  /// Seconds since 1970.
  private(set) var start: Double?
  /// Bytes.
  private(set) var virtualMemory: Int?
  /// Bytes.
  private(set) var residentMemory: Int?
  private(set) var openDescriptorCount: Int?
  /// Nil also if there is no limit.
  private(set) var descriptorLimit: Int?

  /// The current figures.
  static var now: ProcessFigures { ProcessFigures(in: "/proc") }

  /// - Parameters:
  ///   - folder: The folder of the proc file system.
  ///   - ticksPerSecond: The unit of its times.
  ///   - pageSize: The unit of its memory sizes, in bytes.
  init(
    in folder: String,
    ticksPerSecond: Int = sysconf(Int32(_SC_CLK_TCK)),
    pageSize: Int = sysconf(Int32(_SC_PAGESIZE))
  ) {
    func lines(of name: String) -> [Substring] {
      let text = try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      return text?.split(separator: "\n") ?? []
    }
    // `123 (a name) S 122 …`, and the name may hold anything.
    let status = lines(of: "self/stat").joined(separator: " ")
    let fields = status[(status.lastIndex(of: ")") ?? status.endIndex)...]
      .split(separator: " ").dropFirst().map { Int($0) }
    /// A field by its number in the manual; the third is the first after the name.
    func field(_ number: Int) -> Int? {
      fields.indices.contains(number - 3) ? fields[number - 3] : nil
    }
    if let inProgram = field(14), let inSystem = field(15) {
      processorTime = Double(inProgram + inSystem) / Double(ticksPerSecond)
    }
    let boot = lines(of: "stat").first { $0.hasPrefix("btime ") }
    if let boot = boot.flatMap({ Double($0.dropFirst("btime ".count)) }), let ticks = field(22) {
      start = boot + Double(ticks) / Double(ticksPerSecond)
    }
    virtualMemory = field(23)
    residentMemory = field(24).map { $0 * pageSize }
    let limit = lines(of: "self/limits").first { $0.hasPrefix("Max open files ") }
    descriptorLimit = limit?.split(separator: " ").dropFirst(3).first.flatMap { Int($0) }
    let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/self/fd")
    // One of them is open only to read this folder.
    openDescriptorCount = descriptors.map { max(0, $0.count - 1) }
  }

  func write(to text: inout ExpositionText) {
    if let processorTime {
      let name = "process_cpu_seconds_total"
      text.begin(name, .counter, "Processor time used, in the program and the system.")
      text.add(name, [], processorTime)
    }
    if let start {
      let name = "process_start_time_seconds"
      text.begin(name, .gauge, "When the process started.")
      text.add(name, [], start)
    }
    let others: [(name: String, help: String, value: Int?)] = [
      ("process_resident_memory_bytes", "Memory in use.", residentMemory),
      ("process_virtual_memory_bytes", "Memory reserved.", virtualMemory),
      ("process_open_fds", "Open files and sockets.", openDescriptorCount),
      ("process_max_fds", "The most files and sockets that may be open.", descriptorLimit),
    ]
    for case (let name, let help, let value?) in others {
      text.begin(name, .gauge, help)
      text.add(name, [], value)
    }
  }
}
