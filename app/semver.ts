// Extensions of a clone are checked with their own tsconfig.json, which does not include the declarations of this project.
/// <reference path="./semver-module.d.ts" />
/** Imported only when versions are compared. */
export { default as semver } from 'semver'
