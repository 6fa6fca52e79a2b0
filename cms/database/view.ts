import type { Database, SiteDatabase } from '../../core/database/index.ts'
import type { ExtensionView } from '../../core/extensions/context.ts'
import { currentCall } from '../../core/http/time-limit.ts'
import { createOwnedDriver, type DatabaseOwner } from './owned-driver.ts'

declare module '../../core/extensions/types.ts' {
  interface ExtensionHost {
    readonly database: Database
  }
}

/**
 * The site's database for one owner: its transactions have limits and are rolled back when it is unloaded, and it can neither close the
 * database nor change a connection for others.
 */
export function databaseFor(owner: DatabaseOwner, database: SiteDatabase): Database {
  return {
    ...database.through((driver, wrote) => createOwnedDriver(driver, database.kind, owner, wrote)),
    close: () => Promise.reject(new Error(`The extension ${owner.id} must not close the site's database.`)),
  }
}

/** The member `database` of an extension's host. */
export function databaseView(database: SiteDatabase): ExtensionView {
  return ({ isService, owner, run }) => ({
    // A service is a part of the product: what it does in one go, such as a restore, may take its time.
    database: isService ? database : databaseFor({ ...owner, run, call: currentCall }, database),
  })
}
