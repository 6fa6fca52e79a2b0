import type { UploadProgress } from '../types.ts'
import { CallerError } from './retry.ts'

/**
 * The progress of an upload across attempts: `state` is always current, so that each attempt resumes where the last one
 * stopped.
 */
export function followProgress(progress: UploadProgress): UploadProgress {
  let kept = progress.state
  return {
    get state() {
      return kept
    },
    async keep(state) {
      kept = state
      try {
        await progress.keep(state)
      } catch (error) {
        throw new CallerError(error)
      }
    },
    sent: (bytes) => progress.sent(bytes),
    signal: progress.signal,
  }
}
