import type { RestRequest } from '../../rest/types.ts'

type Data = Readonly<Record<string, unknown>>

declare module '../../hooks/names.ts' {
  interface AsyncActions {
    /**
     * Fires when REST has stored a new or changed term, comment or user, before its meta is stored:
     * `rest_insert_category`, `rest_insert_comment`, `rest_insert_user`.
     * @param item what is stored now
     * @param request the request
     * @param creating `false` where it existed before
     * @since 0.1.0
     */
    [inserted: `rest_insert_${string}`]: [item: unknown, request: RestRequest, creating: boolean]
    /**
     * As `rest_insert_…`, after the meta is stored: `rest_after_insert_category`, `rest_after_insert_comment`.
     * @param item what is stored now
     * @param request the request
     * @param creating `false` where it existed before
     * @since 0.1.0
     */
    [finished: `rest_after_insert_${string}`]: [item: unknown, request: RestRequest, creating: boolean]
    /**
     * Fires when REST has deleted or trashed a term, comment or user: `rest_delete_category`, `rest_delete_user`.
     * @param item what it was
     * @param response what is answered
     * @param request the request
     * @since 0.1.0
     */
    [removed: `rest_delete_${string}`]: [item: unknown, response: unknown, request: RestRequest]
  }

  interface AsyncFilters {
    /**
     * What REST is about to store of a term, comment or user: `rest_pre_insert_category`, `rest_pre_insert_comment`,
     * `rest_pre_insert_user`. Throw a `RestError` to refuse.
     * @param prepared the fields that are written, by their names in `content` and `auth`; answer a new object
     * @param request the request
     * @since 0.1.0
     */
    [prepared: `rest_pre_insert_${string}`]: [prepared: Data, request: RestRequest]
  }
}
