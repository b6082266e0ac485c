/// Sums of numbers that a file says, which may be any: what leaves the range of 64 bits stays at its end.
extension Int {
    /// The sum; the largest or smallest integer where it is out of range.
    package func addingInRange(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// A number's whole part, where it has one in this range; 0 for what is no number.
    package init(inRange value: Double) {
        let limit = 9.0e18
        self = value.isNaN ? 0 : Int(Swift.min(Swift.max(value, -limit), limit))
    }

    /// The difference; the largest or smallest integer where it is out of range.
    package func subtractingInRange(_ other: Int) -> Int {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : difference
    }
}
