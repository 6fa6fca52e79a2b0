/** The address that a new site starts with if `PENTAD_ADMIN_EMAIL` is not set. No email reaches it (RFC 2606). */
export const PLACEHOLDER_EMAIL = 'admin@example.org'
