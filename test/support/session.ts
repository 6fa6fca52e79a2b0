import type { Auth, User } from '../../core/auth/types.ts'

/** What a browser sends in which a user has just signed in. */
export type SessionHeaders = { readonly Cookie: string; readonly 'X-WP-Nonce': string }

/** Starts a session of a user. @param password - Confirms the session with it, for what asks for the current password. */
export async function openSession(auth: Auth, user: User, password?: string): Promise<SessionHeaders> {
  const signedIn = await auth.startSession(user, { address: '127.0.0.1', userAgent: 'test' })
  const Cookie = auth.sessionCookie(signedIn).split(';')[0] ?? ''
  const identity = await auth.identifyPage({ cookie: Cookie, address: '127.0.0.1' })
  if (password !== undefined) await auth.confirmPassword(identity, password, '127.0.0.1')
  return { Cookie, 'X-WP-Nonce': auth.createNonce('wp_rest', identity) }
}

/** Logs in through the form of a running site, and confirms the password as the admin does before a restore. */
export async function logIn(url: string, log: string, pwd: string): Promise<SessionHeaders> {
  const form = { method: 'POST', body: new URLSearchParams({ log, pwd }), redirect: 'manual' } as const
  const answer = await fetch(`${url}/wp-login.php`, form)
  const Cookie = answer.headers.getSetCookie()[0]?.split(';')[0]
  if (Cookie === undefined) throw new Error(`wp-login.php answered ${answer.status} without a session.`)
  const nonce = await fetch(`${url}/wp-admin/admin-ajax.php?action=rest-nonce`, { headers: { Cookie } })
  const headers = { Cookie, 'X-WP-Nonce': await nonce.text() }
  const confirmed = await fetch(`${url}/wp-json/host/v1/confirm-password`, {
    ...{ method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } },
    body: JSON.stringify({ password: pwd }),
  })
  if (!confirmed.ok) throw new Error(`confirm-password answered ${confirmed.status}: ${await confirmed.text()}`)
  return headers
}
