/** One item of a person's data, such as a comment: names and values to show. */
export interface PersonalDataItem {
  readonly id: string
  readonly data: readonly { readonly name: string; readonly value: string }[]
}

/** Items of the same kind in an export of personal data. */
export interface PersonalDataGroup {
  readonly id: string
  readonly label: string
  readonly items: readonly PersonalDataItem[]
}

/** The result of erasing a person's data. */
export interface ErasureReport {
  /** Number of erased items. */
  readonly removed: number
  /** Number of items that were kept. */
  readonly retained: number
  /** Sentences for the administrator, such as why something was kept. */
  readonly messages: readonly string[]
}

/** A suggested section of the privacy policy. */
export interface PolicySection {
  /** Plain text. */
  readonly title: string
  /** Paragraphs of plain text. */
  readonly paragraphs: readonly string[]
}

export type PrivacyRequestType = 'export' | 'erase'
/** `pending`: not confirmed by the person. */
export type PrivacyRequestState = 'pending' | 'confirmed' | 'completed'

/** A person's request for their data or its erasure. Times are ISO 8601, UTC. */
export interface PrivacyRequest {
  readonly id: number
  readonly type: PrivacyRequestType
  readonly email: string
  readonly state: PrivacyRequestState
  readonly created: string
  readonly confirmed: string | null
  readonly completed: string | null
  /** Of a completed erasure. */
  readonly report: ErasureReport | null
}

/** A request for which an email may have been sent. */
export interface SentRequest extends PrivacyRequest {
  /** Whether the email was stored in the site's mail folder, because no SMTP server is configured. */
  readonly storedAsFile: boolean
}
