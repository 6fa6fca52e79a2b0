/** Environment variable that indicates that a supervisor started the process: its number, and that of all workers, as `1/2`. */
export const SUPERVISED = 'PENTAD_SUPERVISED'

/** A message of a server to its supervisor. */
export type ServerMessage =
  /** The folder in which it records why it ends. */
  | { readonly siteDir: string }
  /** The port on which it listens, so that its successor gets the same one. */
  | { readonly port: number }
  /** It is shutting down as intended. */
  | { readonly ended: true }

export function isServerMessage(message: unknown): message is ServerMessage {
  if (typeof message !== 'object' || message === null) return false
  return (
    ('port' in message && typeof message.port === 'number') ||
    ('siteDir' in message && typeof message.siteDir === 'string') ||
    'ended' in message
  )
}
