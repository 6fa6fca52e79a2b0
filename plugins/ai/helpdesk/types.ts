/** What a visitor sent by the contact form, checked: one line each but for the message. */
export interface ContactSubmission {
  readonly name: string
  readonly email: string
  /** Empty if the visitor gave none. */
  readonly subject: string
  /** May have several lines. */
  readonly message: string
  /** Page of this site from which it was sent, absolute; empty if that is not known. */
  readonly pageUrl: string
}
