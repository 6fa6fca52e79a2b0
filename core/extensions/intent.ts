import type { Options } from '../options/types.ts'
import { type AvailableExtension, FILES_MISSING } from './source.ts'
import { readState, type StoredState } from './state.ts'
import type { ExtensionState } from './types.ts'

const NO_LICENSE = 'It requires an active license.'
/** As sites have it stored whose extension was paused before the text changed. */
const FORMER_NO_LICENSE = 'It needs an active licence.'
const SAFE_MODE = 'It does not run while the site is in safe mode.'

/** The state that an extension is to have, and what is in the way of it. */
export interface Intent {
  /** As stored, else its default. */
  stored(): StoredState
  /** As stored, but paused where safe mode holds it. */
  wanted(): StoredState
  /** Whether it is to run now: it is active, or what it was paused for is no longer missing. */
  isToRun(source: AvailableExtension): boolean
  /** Why a version may not go on, or not start: its files or the license are missing. `null` if it may. */
  obstacle(source: AvailableExtension, isPro: boolean): string | null
  /** Whether it was only paused for want of files or of the license, so that its return is no activation. */
  wasLacking(state: ExtensionState, reason: string | null): boolean
  /** @throws Error if safe mode holds it */
  refuseInSafeMode(): void
}

/** Services are active while nothing is stored of them; only they run in safe mode. */
export function createIntent(
  { id, isService }: AvailableExtension,
  { options, isLicensed, safeMode }: { options: Options; isLicensed: () => boolean; safeMode: boolean },
): Intent {
  const isHeld = safeMode && !isService

  function stored(): StoredState {
    return readState(options, id) ?? { state: isService ? 'active' : 'inactive', reason: null }
  }

  function isOver(pause: string | null, source: AvailableExtension): boolean {
    if (isHeld) return false
    return (isForLicense(pause) && isLicensed()) || (pause === FILES_MISSING && source.problem !== FILES_MISSING)
  }

  function wanted(): StoredState {
    const kept = stored()
    return isHeld && kept.state === 'active' ? { state: 'paused', reason: SAFE_MODE } : kept
  }

  return {
    stored,
    wanted,
    isToRun(source) {
      const { state, reason } = wanted()
      return state === 'active' || (state === 'paused' && isOver(reason, source))
    },
    obstacle(source, isPro) {
      if (source.problem === FILES_MISSING) return FILES_MISSING
      return isPro && !isLicensed() ? NO_LICENSE : null
    },
    wasLacking: (state, reason) => state === 'paused' && (isForLicense(reason) || reason === FILES_MISSING),
    refuseInSafeMode() {
      if (isHeld) throw new Error(`${SAFE_MODE} Restart the site without safe mode first.`)
    },
  }
}

function isForLicense(pause: string | null): boolean {
  return pause === NO_LICENSE || pause === FORMER_NO_LICENSE
}
