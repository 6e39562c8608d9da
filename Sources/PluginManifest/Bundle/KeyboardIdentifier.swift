/// The rules for the ids of apps and keyboards.
public enum KeyboardIdentifier {
  /// Why an id is refused, as the end of a sentence that begins with the id; nil when it is good.
  public static func fault(of identifier: String) -> String? {
    BundleNames.faultOfIdentifier(identifier)
  }
}
