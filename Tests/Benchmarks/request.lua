-- One request again and again: wrk … -- METHOD PATH BODY [NAME=VALUE …]
-- "{n}" in the body or the path counts up, so that no two forms are the same and none is answered as a repeat.
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(arguments)
  local method, path, body = arguments[1], arguments[2], arguments[3]
  local headers = {}
  for index = 4, #arguments do
    local name, value = arguments[index]:match("^([^=]+)=(.*)$")
    headers[name] = value
  end
  if body == "" then body = nil end
  local counted = path:find("{n}", 1, true) or (body and body:find("{n}", 1, true))
  if not counted then
    local constant = wrk.format(method, path, headers, body)
    request = function() return constant end
    return
  end
  local n = 0
  request = function()
    n = n + 1
    local mark = number .. "x" .. n
    return wrk.format(method, (path:gsub("{n}", mark)), headers, body and (body:gsub("{n}", mark)))
  end
end

function done(summary, latency)
  print(string.format(
    'RESULT {"requests": %d, "seconds": %f, "refused": %d, "failed": %d, "p50": %f, "p99": %f}',
    summary.requests, summary.duration / 1e6, summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
