/** Environment variable that tells a process that a supervisor started it. */
export const SUPERVISED = 'PENTAD_SUPERVISED'

/** What a server tells its supervisor. */
export type ServerMessage =
  /** The folder in which it records why it ends. */
  | { readonly siteDir: string }
  /** The port that it listens on, so that the next one gets the same. */
  | { readonly port: number }
  /** It ends as it was meant to. */
  | { readonly ended: true }

export function isServerMessage(message: unknown): message is ServerMessage {
  if (typeof message !== 'object' || message === null) return false
  return (
    ('port' in message && typeof message.port === 'number') ||
    ('siteDir' in message && typeof message.siteDir === 'string') ||
    'ended' in message
  )
}
