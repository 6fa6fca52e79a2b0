/** One extension, as `GET host/v1/extensions` answers it. */
export interface ExtensionReport {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly description: string
  readonly isService: boolean
  readonly pro: boolean
  readonly state: 'active' | 'inactive' | 'paused'
  readonly reason: string | null
  /** Whether it came with a backup that this site did not sign, and nobody has vouched for it. */
  readonly isForeign: boolean
  readonly hooks: readonly string[]
  readonly routes: readonly string[]
  readonly abilities: readonly string[]
  readonly jobs: readonly string[]
  readonly pages: readonly string[]
  readonly hasSettings: boolean
}

/** One callback of a hook, as `GET host/v1/hooks` answers it. */
export interface HookListener {
  readonly owner: string
  readonly callback: string
  readonly priority: number
  readonly acceptedArgs: number | null
  readonly calls: number
  /** Milliseconds altogether. */
  readonly time: number
  /** Milliseconds of the longest call. */
  readonly longest: number
}

export interface HookReport {
  readonly name: string
  readonly count: number
  readonly listeners: readonly HookListener[]
}

export const EXTENSIONS = 'host/v1/extensions'
