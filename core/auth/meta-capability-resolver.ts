export type CapabilityArgs = readonly (number | string)[]

/** Resolves to the primitive capabilities that a capability requires, all of them, after the `map_meta_cap` filter. */
export type MapCapability = (capability: string, userId: number, args: CapabilityArgs) => Promise<readonly string[]>

/** Maps the meta capabilities for one kind of object, such as posts. */
export interface MetaCapabilityResolver {
  /** The canonical name of a capability, `edit_post` for `edit_book`; `undefined` if it is for other objects. */
  nameOf(capability: string): string | undefined
  /**
   * Returns the required primitive capabilities, all of them, before the `map_meta_cap` filter.
   * @param capability canonical name from `nameOf`
   * @param map maps another capability
   */
  map(
    capability: string,
    userId: number,
    args: CapabilityArgs,
    map: MapCapability,
  ): Promise<readonly string[]> | readonly string[]
  /** Adjusts the result after the `map_meta_cap` filter, for asynchronous filters. */
  mapAfterFilter?(
    needed: readonly string[],
    capability: string,
    userId: number,
    args: CapabilityArgs,
  ): Promise<readonly string[]> | readonly string[]
}

/** Denied to all users. */
export const DENIED: readonly string[] = ['do_not_allow']
