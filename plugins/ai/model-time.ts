/**
 * Time limit of what asks models: none of the host's. How long a model may take is the setting `timeoutSeconds`, for each
 * of its answers, and how many answers a request takes is limited as well.
 */
export const MODEL_TIME = Number.POSITIVE_INFINITY
