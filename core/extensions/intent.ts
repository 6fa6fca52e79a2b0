import type { Options } from '../options/types.ts'
import { type AvailableExtension, FILES_MISSING } from './source.ts'
import { readState, type StoredState } from './state.ts'
import type { ExtensionState } from './types.ts'

const NO_LICENSE = 'It requires an active license.'
/** The former text, which sites may have stored as the reason of a pause. */
const FORMER_NO_LICENSE = 'It needs an active licence.' // cspell:ignore licence
const SAFE_MODE = 'It does not run while the site is in safe mode.'

/** The intended state of an extension, and what prevents it. Services are active by default; only they run in safe mode. */
export function createIntent(
  { id, isService }: AvailableExtension,
  { options, isLicensed, safeMode }: { options: Options; isLicensed: () => boolean; safeMode: boolean },
) {
  const isBlocked = safeMode && !isService

  /** The stored state, or the default. */
  function stored(): StoredState {
    return readState(options, id) ?? { state: isService ? 'active' : 'inactive', reason: null }
  }

  function isResolved(pause: string | null, source: AvailableExtension): boolean {
    if (isBlocked) return false
    return (isForLicense(pause) && isLicensed()) || (pause === FILES_MISSING && source.problem !== FILES_MISSING)
  }

  /** The stored state, but paused if safe mode prevents it from running. */
  function wanted(): StoredState {
    const current = stored()
    return isBlocked && current.state === 'active' ? { state: 'paused', reason: SAFE_MODE } : current
  }

  return {
    stored,
    wanted,
    /** Whether it should run now: it is active, or the missing files or license that paused it are available again. */
    shouldRun(source: AvailableExtension) {
      const { state, reason } = wanted()
      return state === 'active' || (state === 'paused' && isResolved(reason, source))
    },
    /** Why a version must not start or continue running: missing files or a missing license; `null` if it may. */
    obstacle(source: AvailableExtension, isPro: boolean) {
      if (source.problem === FILES_MISSING) return FILES_MISSING
      return isPro && !isLicensed() ? NO_LICENSE : null
    },
    /** Whether it was only paused for missing files or a missing license, so that resuming it is not an activation. */
    wasRequirementMissing: (state: ExtensionState, reason: string | null) =>
      state === 'paused' && (isForLicense(reason) || reason === FILES_MISSING),
    /** @throws Error if safe mode prevents it */
    assertNotInSafeMode() {
      if (isBlocked) throw new Error(`${SAFE_MODE} Restart the site without safe mode first.`)
    },
  }
}

function isForLicense(pause: string | null): boolean {
  return pause === NO_LICENSE || pause === FORMER_NO_LICENSE
}
