import { replaceEqualDeep } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'

interface Flight<Input, Data> {
  readonly input: Input
  readonly result: Promise<Data>
}

/**
 * Runs at most one call per input at a time: a call with an equal input joins the one in progress. A double click submits a
 * form twice before React has disabled its button, so this can't depend on rendered state.
 * @returns a function that starts the work, or returns the result of the call in progress
 */
export function useSingleFlight<Input, Data>(): (input: Input, start: () => Promise<Data>) => Promise<Data> {
  const flights = useRef<readonly Flight<Input, Data>[]>([])
  return useCallback((input, start) => {
    const same = flights.current.find((one) => replaceEqualDeep(one.input, input) === one.input)
    if (same) return same.result
    const land = () => {
      flights.current = flights.current.filter((one) => one !== own)
    }
    const own: Flight<Input, Data> = { input, result: start().finally(land) }
    flights.current = [...flights.current, own]
    return own.result
  }, [])
}
