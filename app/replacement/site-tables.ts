import { accountTables } from '../../cms/accounts/tables.ts'
import { changeTables } from '../../cms/changes/tables.ts'
import { contentTables } from '../../cms/content/migrations.ts'
import { mailTables } from '../../cms/mail/tables.ts'
import type { PartTables } from '../../cms/part-tables.ts'
import { privacyTables } from '../../cms/privacy/tables.ts'

/** The tables of a site besides the host's, without those of extensions. */
export const siteTables: readonly PartTables[] = [accountTables, changeTables, contentTables, mailTables, privacyTables]
