import { useMemo } from 'react'
import { useRead } from '../../api/query.ts'
import { EXTENSIONS, type ExtensionReport } from './types.ts'

/** What people call an extension; its id where that is not known. */
export function useExtensionNames(): (id: string) => string {
  const { data } = useRead<readonly ExtensionReport[]>(EXTENSIONS)
  return useMemo(() => {
    const names = new Map(data?.map(({ id, name }) => [id, name]))
    return (id) => names.get(id) ?? id
  }, [data])
}
