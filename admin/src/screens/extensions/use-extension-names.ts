import { useMemo } from 'react'
import { useRead } from '../../api/query.ts'
import { EXTENSIONS, type ExtensionReport } from './types.ts'

/** The display name of an extension, or its id if unknown. */
export function useExtensionNames(): (id: string) => string {
  const { data } = useRead<readonly ExtensionReport[]>(EXTENSIONS)
  return useMemo(() => {
    const names = new Map(data?.map(({ id, name }) => [id, name]))
    return (id) => names.get(id) ?? id
  }, [data])
}
