import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { type AdminSite, openAdminSite } from '../../admin-site.ts'
import { appearance } from './appearance.ts'
import { editor } from './editor.ts'
import { firstRun } from './first-run.ts'
import { type Keys, keysOf, type Walk } from './keys.ts'
import { lists } from './lists.ts'
import { phone } from './phone.ts'
import { restore } from './restore.ts'
import { settings } from './settings.ts'
import { site } from './site.ts'

describe('With the keyboard alone, an owner', () => {
  let admin: AdminSite
  let page: Page
  let keys: Keys
  before(async () => {
    admin = await openAdminSite({
      isNew: true,
      extensions: [join(import.meta.dirname, '../../../../extensions/store')],
    })
    page = await admin.signIn()
    keys = keysOf(page, admin.site.url)
  })
  after(() => admin?.close())

  const walk = (): Walk => ({ admin, keys })
  firstRun(walk)
  appearance(walk)
  settings(walk)
  lists(walk)
  editor(walk)
  phone(walk)
  site(walk)
  restore(walk)
})
