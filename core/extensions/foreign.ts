import type { Options } from '../options/types.ts'
import type { Source } from './discover.ts'
import type { ForeignCode } from './foreign-code.ts'
import { readState, writeState } from './state.ts'

/** Why an extension does not run that nobody has vouched for. */
export const FOREIGN = 'It came with a backup that this site did not sign. Check its code before you activate it.'

/** Extensions that came with a backup that this site did not sign. */
export interface ForeignExtensions {
  /** Whether nobody has vouched for it yet. */
  has(source: Source): Promise<boolean>
  /** Vouches for it. */
  trust(source: Source): Promise<void>
  /** Switches off those among the extensions, whatever the options say: they may be older than the mark. */
  switchOff(extensions: readonly { readonly id: string; readonly source: Source }[]): Promise<void>
}

export function createForeignExtensions(foreignCode: ForeignCode, options: Options): ForeignExtensions {
  return {
    // `main` of its package.json may lead out of its folder.
    has: ({ entry, folder }) => foreignCode.covers(entry, folder ?? entry),
    trust: ({ entry, folder }) => foreignCode.trust(entry, folder ?? entry),
    async switchOff(extensions) {
      for (const { id, source } of extensions) {
        const isOn = (readState(options, id)?.state ?? 'inactive') !== 'inactive'
        if (source.isForeign && isOn) await writeState(options, id, 'inactive', null)
      }
    },
  }
}
