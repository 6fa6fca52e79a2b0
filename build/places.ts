import { join } from 'node:path'

/** Folder of the project. */
export const ROOT = join(import.meta.dirname, '..')

/** Folder of the package that is built. */
export const FOLDER = join(ROOT, 'dist', 'pentad')

/** Folder of the package `create-pentad`. */
export const CREATE_FOLDER = join(ROOT, 'dist', 'create-pentad')

/** Folder of the package `create-pentad-extension`. */
export const CREATE_EXTENSION_FOLDER = join(ROOT, 'dist', 'create-pentad-extension')
