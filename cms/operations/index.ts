import type { JoiningHost } from '../../core/types.ts'
import { createReadiness } from './readiness.ts'
import { registerReadyRoute } from './ready-route.ts'

/** Adds what operators of a site need while it runs. */
export function joinOperations(host: JoiningHost): void {
  const readiness = createReadiness(host)
  host.onClosing(readiness.beginShutdown)
  registerReadyRoute(host.rest, readiness)
}
