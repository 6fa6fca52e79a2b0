/** `turn`: a question was answered; `read`: an ability was called; what became of a change. */
export const AUDIT_EVENTS = ['turn', 'read', 'propose', 'apply', 'discard'] as const

export type AuditEvent = (typeof AUDIT_EVENTS)[number]
