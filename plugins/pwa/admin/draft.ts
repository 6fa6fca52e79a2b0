/** A notification being composed. */
export interface Draft {
  readonly title: string
  readonly message: string
  readonly url: string
  readonly image: number
  readonly persistent: boolean
  readonly vibration: boolean
  readonly buttons: readonly { readonly id: number; readonly text: string; readonly url: string }[]
}
