(* Coq's persistent arrays. The newest version is a plain array; an older one knows its difference
   from the next. So all versions stay valid, and work on the newest one is fast. *)
type 'a t = 'a state ref
and 'a state = Newest of 'a array * 'a | Older of int * 'a * 'a t

let max_length = 4194303

let make (n : Uint63.t) (x : 'a) : 'a t =
  ref (Newest (Array.make (if Uint63.at_most n max_length then n else max_length) x, x))

let rec get_older (t : 'a t) i =
  match !t with
  | Newest (a, x) -> if 0 <= i && i < Array.length a then Array.get a i else x
  | Older (j, y, next) -> if i = j then y else get_older next i

let[@inline] get (t : 'a t) (i : Uint63.t) : 'a =
  match !t with
  | Newest (a, _) when 0 <= i && i < Array.length a -> Array.unsafe_get a i
  | _ -> get_older t i

let rec newest t =
  match !t with
  | Newest (a, x) -> (a, x)
  | Older (i, y, next) ->
      let a, x = newest next in
      let old = a.(i) in
      a.(i) <- y;
      next := Older (i, old, t);
      t := Newest (a, x);
      (a, x)

let set (t : 'a t) (i : Uint63.t) (y : 'a) : 'a t =
  let a, x = newest t in
  if 0 <= i && i < Array.length a then (
    let old = a.(i) in
    let made = ref (Newest (a, x)) in
    a.(i) <- y;
    t := Older (i, old, made);
    made)
  else t
