/** Environment variable that tells a process that a supervisor started it. */
export const SUPERVISED = 'PENTAD_SUPERVISED'

/** What a server tells its supervisor: the port that it listens on, so that the next one gets the same; or that it ends as it was meant to. */
export type ServerMessage = { readonly port: number } | { readonly ended: true }

export function isServerMessage(message: unknown): message is ServerMessage {
  if (typeof message !== 'object' || message === null) return false
  return ('port' in message && typeof message.port === 'number') || 'ended' in message
}
