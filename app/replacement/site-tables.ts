import { accountTables } from '../../cms/accounts/tables.ts'
import { contentTables } from '../../cms/content/migrations.ts'
import type { PartTables } from '../../cms/part-tables.ts'

/** The tables that a site has beside the host's, except those of extensions. */
export const siteTables: readonly PartTables[] = [accountTables, contentTables]
