/** Maximum of PostgreSQL's `integer`; a query for a larger id would fail there. */
const LARGEST = 2_147_483_647

/** Whether a number is a valid row id. */
export function isRowId(id: number): boolean {
  return id > 0 && isReference(id)
}

/** Whether a number is a valid reference to a row: an id, or 0 for none. */
export function isReference(id: number): boolean {
  return Number.isInteger(id) && id >= 0 && id <= LARGEST
}
