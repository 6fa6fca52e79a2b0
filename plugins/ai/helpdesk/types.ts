/** A validated contact form submission: single lines except for the message. */
export interface ContactSubmission {
  readonly name: string
  readonly email: string
  /** Empty if not provided. */
  readonly subject: string
  /** Can have several lines. */
  readonly message: string
  /** Absolute URL of the page that the form was sent from; empty if unknown. */
  readonly pageUrl: string
}
