import type { Screen } from '../screen.ts'

export const userScreens: readonly Screen[] = []
