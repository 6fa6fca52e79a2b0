/** The functions of `semver` that are used; the package comes without types. https://github.com/npm/node-semver */
declare module 'semver' {
  const semver: {
    satisfies(version: string, range: string, options?: { readonly includePrerelease?: boolean }): boolean
    /** `null` if it is not a range. */
    validRange(range: string): string | null
    /** `null` if it is not a version. */
    valid(version: string): string | null
    /** Whether the first version is newer. */
    gt(version: string, other: string): boolean
    /** The newest of the versions within the range; `null` if there is none. */
    maxSatisfying(
      versions: readonly string[],
      range: string,
      options?: { readonly includePrerelease?: boolean },
    ): string | null
  }
  export default semver
}
