import ClassicBPF
import SandboxPolicy

/// A filter's answers, asked call by call.
struct CallAnswers {
  let meaning: FilterMeaning
  let space: CallSpace
  /// All inputs that run.
  let permitted: InputSet

  init(meaning: FilterMeaning, space: CallSpace) {
    self.meaning = meaning
    self.space = space
    permitted = meaning.inputs { $0.permits }
  }

  /// All inputs of a call; nil where an architecture has none of this name.
  func inputs(_ name: String, on architecture: SeccompArchitecture) -> InputSet? {
    space.table.number(of: name, on: architecture).map {
      space.inputs(of: $0, on: architecture, in: meaning.sets)
    }
  }

  /// Whether a call runs whatever its arguments.
  func isPermitted(_ name: String, on architecture: SeccompArchitecture) -> Bool {
    guard let inputs = inputs(name, on: architecture) else { return false }
    return meaning.sets.subtracting(permitted, from: inputs).isEmpty
  }

  /// The answer to a call, when it is the same for all arguments.
  func onlyAction(_ name: String, on architecture: SeccompArchitecture) -> SeccompAction? {
    guard let inputs = inputs(name, on: architecture) else { return nil }
    return meaning.answers.ordered.first {
      meaning.sets.subtracting($0.value, from: inputs).isEmpty
    }?.key
  }

  /// The answer to one input.
  func action(of input: SeccompData) -> SeccompAction {
    // The answers together hold every input.
    meaning.answers.ordered.first { meaning.sets.contains(input, in: $0.value) }?.key
      ?? .killProcess
  }
}
