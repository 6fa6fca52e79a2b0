/** `turn`: a message was answered; `read`: an ability was called; the others: the outcome of a change. */
export const AUDIT_EVENTS = ['turn', 'read', 'propose', 'apply', 'discard'] as const

export type AuditEvent = (typeof AUDIT_EVENTS)[number]
