import type { Screen } from '../screen.ts'

export const pwaScreens: readonly Screen[] = []
