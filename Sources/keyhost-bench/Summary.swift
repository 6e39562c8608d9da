/// The middle of many measurements and how far they spread.
struct Summary {
  /// The 50th percentile.
  var median: Double
  /// The 10th percentile.
  var low: Double
  /// The 90th percentile.
  var high: Double
  var count: Int

  /// - Precondition: there is at least one value.
  init(_ values: [Double]) {
    let sorted = values.sorted()
    func percentile(_ fraction: Double) -> Double {
      sorted[min(sorted.count - 1, Int(fraction * Double(sorted.count)))]
    }
    median = percentile(0.5)
    low = percentile(0.1)
    high = percentile(0.9)
    count = sorted.count
  }
}
