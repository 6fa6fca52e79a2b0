import type { ExtensionHost } from 'pentad'

/** Display names of users; visitors (user 0) and deleted users have none. */
export async function namesOf(
  { auth }: Pick<ExtensionHost, 'auth'>,
  rows: readonly { readonly userId: number }[],
): Promise<Map<number, string>> {
  const ids = [...new Set(rows.map(({ userId }) => userId))].filter((id) => id !== 0)
  const found = await Promise.all(ids.map((id) => auth.users.get(id)))
  return new Map(found.flatMap((user) => (user ? [[user.id, user.displayName] as const] : [])))
}
