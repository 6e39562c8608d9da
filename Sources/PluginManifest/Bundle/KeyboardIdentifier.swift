/// The rules for the ids of apps and keyboards.
public enum KeyboardIdentifier {
  /// Why an id is refused, as the end of a sentence that begins with the id; nil when it is good.
  public static func fault(of identifier: String) -> String? {
    BundleNames.faultOfIdentifier(identifier)
  }

  /// Why a name under which people are to know a keyboard is refused, likewise.
  public static func fault(ofDisplayName name: String) -> String? {
    BundleNames.faultOfDisplayName(name)
  }
}
