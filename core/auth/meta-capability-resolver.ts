export type CapabilityArgs = readonly (number | string)[]

/** Primitive capabilities that a user needs for a capability, every one of them, with what callbacks say. */
export type MapCapability = (capability: string, userId: number, args: CapabilityArgs) => Promise<readonly string[]>

/** What the capabilities on the things of one part of the site ask for: WordPress's meta capabilities. */
export interface MetaCapabilityResolver {
  /** The capability that a name stands for, `edit_post` for `edit_book`; `undefined` if it is about none of these things. */
  nameOf(capability: string): string | undefined
  /**
   * Primitive capabilities that the user needs, every one of them, before callbacks have their say.
   * @param capability as `nameOf` answers it
   * @param map what another capability asks for
   */
  map(
    capability: string,
    userId: number,
    args: CapabilityArgs,
    map: MapCapability,
  ): Promise<readonly string[]> | readonly string[]
  /** The same once the filter `map_meta_cap` has run, for callbacks that look something up. */
  mapAfterFilter?(
    needed: readonly string[],
    capability: string,
    userId: number,
    args: CapabilityArgs,
  ): Promise<readonly string[]> | readonly string[]
}

/** No user may. */
export const DENIED: readonly string[] = ['do_not_allow']
