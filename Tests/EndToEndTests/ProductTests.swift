import TestSupport
import Testing

@Suite("The products")
struct ProductTests {
  @Test("keyhost and its launcher are where the tests look")
  func theProductsAreThere() {
    #expect(Files.exists(Products.keyhost))
    #expect(Files.exists(Products.launcher))
  }
}
