-- Whole journeys, as a browser walks them: wrk -tN -cN … -- HOST TOKEN_FIELD STEP…
-- One connection per thread, so that a thread is one browser. A step is "GET PATH", or "POST PATH BODY";
-- "{token}" in a body is the hidden field of the page before, "{n}" the number of the journey, "{browser}"
-- that of the browser. The last step must be answered by 200 and the others by 200, 302 or 303; otherwise the journey
-- has failed, and the next one begins with an empty jar.
local threads = {}

function setup(thread)
  thread:set("number", #threads)
  table.insert(threads, thread)
end

walked, failed = 0, 0
local steps, host, field, at, jar, token, n = {}, nil, nil, 1, {}, "", 0

function init(arguments)
  host = arguments[1]
  field = 'name="' .. arguments[2] .. '" value="([^"]*)"'
  for index = 3, #arguments do
    local method, path, body = arguments[index]:match("^(%u+) (%S+) ?(.*)$")
    table.insert(steps, { method = method, path = path, body = body })
  end
end

local function begin()
  at, jar, token, n = 1, {}, "", n + 1
end

function request()
  local step = steps[at]
  local headers = { ["Host"] = host, ["Accept"] = "text/html" }
  local cookies = {}
  for name, value in pairs(jar) do table.insert(cookies, name .. "=" .. value) end
  if #cookies > 0 then headers["Cookie"] = table.concat(cookies, "; ") end
  if step.method == "GET" then return wrk.format("GET", step.path, headers) end
  headers["Content-Type"] = "application/x-www-form-urlencoded"
  local body = step.body:gsub("{token}", (token:gsub("%%", "%%%%"))):gsub("{n}", number .. "x" .. n):gsub("{browser}", number)
  return wrk.format("POST", step.path, headers, body)
end

function response(status, headers, body)
  for name, value in pairs(headers) do
    if name:lower() == "set-cookie" then
      local cookie, content = value:match("^([^=]+)=([^;]*)")
      jar[cookie] = content ~= "" and content or nil
    end
  end
  token = body:match(field) or token
  local last = at == #steps
  if status == 200 and last then
    walked = walked + 1
    begin()
  elseif status == 200 or (not last and (status == 302 or status == 303)) then
    at = at + 1
  else
    if failed == 0 then print("journey failed at step " .. at .. " with " .. status) end
    failed = failed + 1
    begin()
  end
end

function done(summary, latency)
  local all, lost = 0, 0
  for _, thread in ipairs(threads) do
    all = all + thread:get("walked")
    lost = lost + thread:get("failed")
  end
  print(string.format('RESULT {"requests": %d, "seconds": %f, "refused": 0, "failed": %d, "p50": %f, "p99": %f}',
    all, summary.duration / 1e6, lost, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
