import { type Kysely, sql } from 'kysely'
import type { Vault } from 'pentad'

/** Rows per statement of the migration. */
const ROWS = 200

interface Keys {
  readonly endpoint: string
  readonly auth: string
}
type Row = Keys & { readonly endpoint_hash: string }
type Sealing = Pick<Vault, 'seal' | 'open'>

/**
 * Encrypts the endpoint and `auth` at rest: the endpoint allows sending to the browser, and `auth` proves ownership of
 * the subscription. Each value can be decrypted only in its own row.
 */
export function sealKeys(vault: Sealing, { endpoint, auth, endpoint_hash }: Row): Keys {
  const seal = (value: string, name: keyof Keys) =>
    isSealed(value) ? value : JSON.stringify(vault.seal(value, placeOf(name, endpoint_hash)))
  return { endpoint: seal(endpoint, 'endpoint'), auth: seal(auth, 'auth') }
}

/** Decrypts the keys of a row. Both are empty if they were encrypted with another site key. */
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
 * Encrypts keys that earlier versions stored in plain text, in batches. Can be interrupted and run again.
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
