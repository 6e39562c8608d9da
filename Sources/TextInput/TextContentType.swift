/// What the text of a field means. The names are those of `UITextContentType`.
public enum TextContentType: String, Sendable, Equatable, Hashable, CaseIterable {
  case name
  case namePrefix
  case givenName
  case middleName
  case familyName
  case nameSuffix
  case nickname
  case jobTitle
  case organizationName
  case location
  case fullStreetAddress
  case streetAddressLine1
  case streetAddressLine2
  case addressCity
  case addressState
  case addressCityAndState
  case sublocality
  case countryName
  case postalCode
  case telephoneNumber
  case emailAddress
  // The name is that of UITextContentType.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case URL
  case creditCardNumber
  case creditCardName
  case creditCardGivenName
  case creditCardMiddleName
  case creditCardFamilyName
  case creditCardSecurityCode
  case creditCardExpiration
  case creditCardExpirationMonth
  case creditCardExpirationYear
  case creditCardType
  case birthdate
  case birthdateDay
  case birthdateMonth
  case birthdateYear
  case username
  case password
  case newPassword
  case oneTimeCode
  case shipmentTrackingNumber
  case flightNumber
  case dateTime
  case cellularEID
  case cellularIMEI
}
