import { type Kysely, sql } from 'kysely'
import type { Vault } from 'pentad'

/** Rows that one statement of the migration changes. */
const ROWS = 200

interface Keys {
  readonly endpoint: string
  readonly auth: string
}
type Row = Keys & { readonly endpoint_hash: string }
type Sealing = Pick<Vault, 'seal' | 'open'>

/**
 * Endpoint and `auth` are encrypted at rest: whoever knows an endpoint can have the push service deliver to that browser,
 * whoever knows `auth` owns the subscription. Each value opens only in its own row.
 */
export function sealKeys(vault: Sealing, { endpoint, auth, endpoint_hash }: Row): Keys {
  const seal = (value: string, name: keyof Keys) =>
    isSealed(value) ? value : JSON.stringify(vault.seal(value, placeOf(name, endpoint_hash)))
  return { endpoint: seal(endpoint, 'endpoint'), auth: seal(auth, 'auth') }
}

/** The row with readable keys; both are empty where another site's key encrypted them, and nothing can be sent. */
export function openKeys<Given extends Row>(vault: Sealing, row: Given): Given {
  const open = (name: keyof Keys) =>
    isSealed(row[name]) ? String(vault.open(JSON.parse(row[name]), placeOf(name, row.endpoint_hash))) : row[name]
  try {
    return { ...row, endpoint: open('endpoint'), auth: open('auth') }
  } catch {
    return { ...row, endpoint: '', auth: '' }
  }
}

/**
 * Encrypts what earlier versions stored in plain text, some rows at a time. Rows of both kinds can be read and encrypted
 * ones stay, so it may be stopped anywhere and begun again.
 */
export async function sealStoredKeys(db: Kysely<unknown>, vault: Sealing): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<Row & { id: number }>`
      select id, endpoint_hash, endpoint, auth from pwa_subscriptions where id > ${after} order by id limit ${ROWS}`.execute(
      db,
    )
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    const sealed = rows.map((row) => ({ id: row.id, ...sealKeys(vault, row) }))
    const cases = (name: keyof Keys) =>
      sql.join(
        sealed.map((row) => sql`when ${row.id} then ${row[name]}`),
        sql` `,
      )
    await sql`
      update pwa_subscriptions set endpoint = case id ${cases('endpoint')} end, auth = case id ${cases('auth')} end
      where id in (${sql.join(sealed.map(({ id }) => id))})`.execute(db)
  }
}

const isSealed = (text: string): boolean => text.startsWith('{"$sealed":')

const placeOf = (name: keyof Keys, hash: string) => `subscription ${name} ${hash}`
