/// A contact as the user's cards have it. What a card does not say is empty.
public struct Contact: Sendable, Equatable {
  public var givenName = ""
  public var familyName = ""
  public var organizationName = ""
  public var phoneNumbers: [String] = []
  public var emailAddresses: [String] = []

  public init(
    givenName: String = "", familyName: String = "", organizationName: String = "",
    phoneNumbers: [String] = [], emailAddresses: [String] = []
  ) {
    self.givenName = givenName
    self.familyName = familyName
    self.organizationName = organizationName
    self.phoneNumbers = phoneNumbers
    self.emailAddresses = emailAddresses
  }
}
